// A client of docs/PROTOCOL.md in plain JavaScript: the JSON sub-protocol, and nothing of the project.
//   node second-client.mjs ws://127.0.0.1:7717 CORPUS CQL [ROWS]
// Prints what the corpus is, lines of the query, and how many there are; takes ten lines at a time.
const Socket = globalThis.WebSocket ?? (await import("ws")).WebSocket;

class Client {
  #socket;
  #asked = new Map();
  #lastId = 0;

  static connect(address) {
    return new Promise((resolve, reject) => {
      const client = new Client();
      client.#socket = new Socket(address, ["dugong.v1.json"]);
      client.#socket.addEventListener("error", () => reject(new Error(`cannot connect to ${address}`)));
      client.#socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "welcome") resolve(client);
        else client.#asked.get(message.id)?.(message);
      });
    });
  }

  tell(message) {
    this.#socket.send(JSON.stringify(message));
  }

  /** Sends a request; `heard` gets every message of its answer. Resolves to the last one. */
  ask(request, heard = () => {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, (message) => {
        heard(message);
        if (!["result", "end", "error"].includes(message.type)) return;
        this.#asked.delete(id);
        if (message.error) reject(Object.assign(new Error(message.error.message), message.error));
        else resolve(message);
      });
      this.tell({ id, ...request });
    });
  }

  close() {
    this.#socket.close();
  }
}

const [address, corpus, query, most = "30"] = process.argv.slice(2);
const client = await Client.connect(address);
try {
  const { value } = await client.ask({ verb: "describe", corpus });
  console.log(`${value.name}@${value.snapshot}: ${value.tokens} tokens`);
  let seen = 0;
  let total;
  const end = await client.ask({ verb: "lines", corpus, query, context: "3", credit: 10 }, (message) => {
    if (message.type === "total") total = message.rows;
    if (message.type !== "rows") return;
    const { left, match, right } = message.columns;
    for (let i = 0; i < message.count; i++) console.log(`${left[i]} [${match[i]}] ${right[i]}`);
    seen += message.count;
    if (seen >= Number(most)) client.tell({ id: message.id, verb: "close" });
    else if (seen % 10 === 0) client.tell({ id: message.id, verb: "credit", rows: 10 });
  });
  const { hits } = (await client.ask({ verb: "count", corpus, query })).value;
  console.log(`${seen} of ${hits.value} (${end.reason}${total ? `, total ${total.certainty}` : ""})`);
} catch ({ code, message, hint, span }) {
  console.log(JSON.stringify({ code, message, hint, span }));
  process.exitCode = 1;
}
client.close();
