/** Every cap of the crawler, in one place, units last. What can be set on the command line says so. */
export const limits = {
  // ---- URLs
  /** A longer one is left out. */
  urlCharsMax: 1000,
  /** Parts between slashes. */
  pathPartsMax: 16,
  /** So often the same part may stand in one path. */
  pathRepeatsMax: 2,
  /** Parameters of a query. */
  queryPartsMax: 10,
  /** Of URLs of one host that have a date in them and are the same without their digits. */
  calendarUrlsMax: 300,
  /** Of one page: links after so many are left out. */
  pageLinksMax: 5000,

  // ---- requests
  /** --delay: between two requests to a host or an address. */
  delayMs: 7000,
  /** Addresses of the public are never asked faster than this. */
  publicDelayMsMin: 1000,
  /** --connections: requests under way. */
  connections: 1000,
  /** --timeout: for a whole response. */
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  /** --max-bytes: of a response as it comes in; what follows is cut off. */
  responseBytes: 1024 * 1024,
  /** Of a response when its content encoding is undone, as a multiple of --max-bytes; one that is larger is refused. */
  inflationMax: 10,
  headerBytesMax: 32 * 1024,
  redirectsMax: 5,
  /** How often a URL is asked for that is answered with 429 or 503, which is to say "later". */
  laterMax: 3,
  /** A host that failed so often in a row is left. */
  hostFailuresMax: 8,
  /** Doubling ends here. */
  backoffMsMax: 3_600_000,
  /** A host that asks for more patience (Retry-After, Crawl-delay) is left. */
  patienceMsMax: 86_400_000,
  /** Connections are kept for the next request to the host if it follows within this time. */
  keepAliveMs: 4000,

  // ---- robots.txt
  robotsBytesMax: 500 * 1024,
  robotsAgeMsMax: 86_400_000,
  robotsRedirectsMax: 5,
  robotsTriesMax: 3,

  // ---- addresses
  /** How long an answer of the DNS holds. */
  dnsAgeMsMax: 3_600_000,
  dnsTimeoutMs: 5000,
  dnsTries: 3,
  /** Names that are looked up at the same time, about. */
  lookupsMax: 1000,
  dnsCacheMax: 200_000,

  // ---- the window in memory
  /** Hosts that have their turn at the same time. */
  activeHostsMax: 20_000,
  /** URLs of one host that are in memory: its turn. */
  turnUrls: 16,
  /** URLs that are queued as one. */
  entryUrls: 16,
  /** Links that were found of late, each thread. */
  recentLinksMax: 50_000,
  /** Pages that are on their way to be read and written. */
  unreadPagesMax: 1000,
  unreadBytesMax: 64 * 1024 * 1024,
  /** URLs of a forbidden host that are removed from the queue at once. */
  removalsAtOnce: 2000,
  /** The database may grow to this. */
  stateBytesMax: 2 ** 38,

  // ---- what is written
  /** --warc-size */
  warcBytes: 1_000_000_000,
  warcLevel: 1,
  /** Of the text of a page that a language filter is shown. */
  sampleCharsMax: 2000,

  // ---- the yield of domains
  /** Pages before anything is said of a domain. */
  yieldPagesMin: 20,
  /** --min-yield: by how much the threshold rises whenever a domain has ten times as many pages. */
  yieldStep: 0.01,
} as const;
