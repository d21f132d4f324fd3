// The messages of PostgreSQL's protocol, version 3, as far as a server in front of another one needs them.

/** Statements that the server works off as a whole: they end with a Sync or a simple query. */
export type Unit = { readonly bytes: Buffer; readonly isComplete: boolean; readonly isLast: boolean };

const LETTER = { sync: 0x53, query: 0x51, flush: 0x48, terminate: 0x58, parse: 0x50 };

/** Splits what a client has sent. What is not a whole message yet comes back as `rest`. */
export function splitUnits(received: Buffer): { readonly units: readonly Unit[]; readonly rest: Buffer } {
  const units: Unit[] = [];
  let [from, at] = [0, 0];
  while (at + 5 <= received.length) {
    const end = at + 1 + received.readInt32BE(at + 1);
    if (end > received.length) break;
    const letter = received[at];
    at = end;
    const isComplete = letter === LETTER.sync || letter === LETTER.query;
    if (!isComplete && letter !== LETTER.flush && letter !== LETTER.terminate) continue;
    units.push({ bytes: received.subarray(from, end), isComplete, isLast: letter === LETTER.terminate });
    from = end;
  }
  return { units, rest: received.subarray(from) };
}

/** The names under which statements are prepared. */
export function preparedNames(bytes: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== LETTER.parse) continue;
    const name = bytes.toString("latin1", at + 5, bytes.indexOf(0, at + 5));
    if (name !== "") names.push(name);
  }
  return names;
}

export function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(letter, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const text = (value: string): Buffer => Buffer.from(`${value}\0`);
export const simpleQuery = (sql: string): Buffer => message("Q", text(sql));
export const SYNC = message("S");
export const closeStatement = (name: string): Buffer => message("C", text(`S${name}`));

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const PARAMETERS = { server_version: "18.6", client_encoding: "UTF8", DateStyle: "ISO, MDY", TimeZone: "UTC", in_hot_standby: "off" };

/** The server's answer to a new connection. */
export function welcome(sessionId: number): Buffer {
  return Buffer.concat([
    message("R", number(0)),
    ...Object.entries(PARAMETERS).map(([name, value]) => message("S", text(name), text(value))),
    message("K", number(100_000 + sessionId), number(1)),
    message("Z", Buffer.from("I")),
  ]);
}

/** The parameters of a client's first message. */
export function startupParameters(first: Buffer): ReadonlyMap<string, string> {
  const words = first.toString("utf8", 8).split("\0");
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) parameters.set(words[at] ?? "", words[at + 1] ?? "");
  return parameters;
}

export type Answer = {
  /** The state after the last statement: idle, in a transaction or in a failed one; null if the server waits for more. */
  readonly status: "I" | "T" | "E" | null;
  readonly error: string | null;
  readonly rows: readonly (readonly (string | null)[])[];
};

/** Reads what a test needs of a server's answer. */
export function readAnswer(bytes: Buffer, withRows = false): Answer {
  let status: Answer["status"] = null;
  let error: string | null = null;
  const rows: (readonly (string | null)[])[] = [];
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const letter = String.fromCharCode(bytes[at] ?? 0);
    if (letter === "Z") status = String.fromCharCode(bytes[at + 5] ?? 0) as "I" | "T" | "E";
    if (letter === "E") error = bytes.toString("utf8", at + 5, at + 1 + bytes.readInt32BE(at + 1)).replaceAll("\0", " ");
    if (letter === "D" && withRows) rows.push(readRow(bytes, at + 5));
  }
  return { status, error, rows };
}

function readRow(bytes: Buffer, from: number): readonly (string | null)[] {
  let at = from + 2;
  return Array.from({ length: bytes.readInt16BE(from) }, () => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return bytes.toString("utf8", at - length, at);
  });
}
