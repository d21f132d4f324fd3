import { type Connection, connect } from "../raw-http.ts";

/** How one request through the proxy ended: the status of its reply, or that its connection broke with it under way. */
export type Ended = number | "broken" | "nobody listens";

/**
 * Spreads requests over processes as nginx does: it keeps connections open and uses them again unless the reply said
 * `Connection: close`, tries the next process when a connection is refused, and never sends a request twice.
 */
export function startProxy(ports: readonly number[]) {
  const idle = new Map<number, Connection[]>(ports.map((port) => [port, []]));
  let turn = 0;

  async function connectionTo(port: number): Promise<Connection | null> {
    const kept = idle.get(port) ?? [];
    for (let one = kept.pop(); one; one = kept.pop()) if (!one.isClosed()) return one;
    return await connect(port).catch(() => null);
  }

  async function send(text: string): Promise<Ended> {
    const first = ++turn;
    for (let tried = 0; tried < ports.length; tried++) {
      const port = ports[(first + tried) % ports.length] ?? 0;
      const connection = await connectionTo(port);
      if (!connection) continue;
      connection.send(text);
      const reply = await connection.next();
      if (!reply) return "broken";
      if (reply.headers.get("connection")?.[0] === "close") connection.destroy();
      else idle.get(port)?.push(connection);
      return reply.status;
    }
    return "nobody listens";
  }

  return {
    send,
    close: () => {
      for (const kept of idle.values()) for (const connection of kept) connection.destroy();
    },
  };
}
