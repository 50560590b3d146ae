/** The package has lists under codes of languages, and a function that is not needed here. */
declare module "stopword" {
  const lists: Record<string, string[]>;
  export = lists;
}
