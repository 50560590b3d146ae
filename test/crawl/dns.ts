/** A DNS server on loopback: an address for a name, or none. */
import { createSocket } from "node:dgram";

const typeA = 1;

export async function startDns(answer: (name: string) => string | undefined) {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at] + 1)
      labels.push(query.toString("latin1", at + 1, at + 1 + query[at]));
    const question = query.subarray(12, at + 5);
    const ip = query.readUInt16BE(at + 1) === typeA ? answer(labels.join(".").toLowerCase()) : undefined;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // A response; NXDOMAIN if there is none.
    header.writeUInt16BE(ip === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(ip === undefined ? 0 : 1, 6);
    const record =
      ip === undefined
        ? Buffer.alloc(0)
        : Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, ...ip.split(".").map(Number)]);
    socket.send(Buffer.concat([header, question, record]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
