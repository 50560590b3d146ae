/**
 * A farm of virtual hosts in a process of its own, on one port of all loopback addresses: host N has pages /p/0 to /p/K of about 20 kB, each
 * with links to others of its host and to some of other hosts. Prints its port, and at the end the CPU seconds
 * that it took; ends with its standard input.
 */
import { createServer } from "node:http";

const [hosts, pages, linksEach] = process.argv.slice(2).map(Number);
const words =
  "the dugong grazes on sea grass in shallow water and rests where the tide is slow while others of its herd go on".split(
    " ",
  );

let state = 1;
const random = (below: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** Text that pages share, so that making them costs the farm little. */
const texts = Array.from({ length: 64 }, () => {
  let html = "</ul>\n";
  while (html.length < 16_000) {
    const text = Array.from({ length: 60 }, () => words[random(words.length)]).join(" ");
    html += `<div class="text block"><p class="body"><b>${text.slice(0, 40)}</b> ${text}.</p></div>\n`;
  }
  return Buffer.from(`${html}</body></html>\n`);
});

function page(host: number, number: number): Buffer {
  let seed = (host * 7919 + number * 104729) >>> 0;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let html = `<!DOCTYPE html><html><head><title>Page ${number} of host ${host}</title></head><body><ul class="menu">\n`;
  // A menu that all pages of the host have, links that make every page reachable, and some to anywhere in the host.
  const menu = Math.floor(linksEach / 2);
  for (let i = 0; i < linksEach; i++) {
    const target = i < menu ? i * 7 : i < menu + 3 ? number * 3 + (i - menu) + 1 : next(pages);
    if (target < pages)
      html += `<li class="item"><a class="link" href="/p/${target}">page number ${target}</a></li>\n`;
  }
  for (let i = 0; i < 5; i++)
    html += `<li><a href="http://h${next(hosts)}.farm.test/p/0">another host</a></li>\n`;
  return Buffer.concat([Buffer.from(html, "latin1"), texts[next(texts.length)]]);
}

const server = createServer((request, response) => {
  const { url = "" } = request;
  if (url === "/robots.txt") {
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /private/\n");
    return;
  }
  const host = Number(/^h(\d+)\./.exec(request.headers.host ?? "")?.[1] ?? Number.NaN);
  // Pages have many names, so that a queue can be made of any length.
  const number = Number(/^\/(?:p|q\/\d+)\/(\d+)$/.exec(url)?.[1] ?? Number.NaN) % pages;
  if (!(host < hosts && number < pages)) {
    response.writeHead(404).end();
    return;
  }
  const body = page(host, number);
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": body.length })
    .end(body);
});
server.keepAliveTimeout = 30_000;
server.listen(0, "0.0.0.0", 4096, () => console.log((server.address() as { port: number }).port));
process.stdin.resume().on("end", () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${(user + system) / 1e6}\n`, () => process.exit());
});
