import fc from "fast-check";
import { expect, it } from "vitest";
import { classOfTag, classPatterns } from "./heads.js";

it("patterns of tags take those of their class, and no others", () => {
  const piece = fc.constantFrom(
    ..."N,NU,NUM,NOUN,PROPN,V,VERB,MD,AUX,J,JJ,ADJ,ADJA,R,RB,ADV,ADP,DT,A,D,O,P,S,1".split(","),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 2 }).map((pieces) => pieces.join("")),
      (tag) => {
        const fitting = classPatterns.flatMap((pattern, own) =>
          new RegExp(`^(?:${pattern})$`).test(tag) ? [own] : [],
        );
        const own = classOfTag(tag);
        expect(fitting).toEqual(own === classPatterns.length ? [] : [own]);
      },
    ),
    { numRuns: 500 },
  );
});
