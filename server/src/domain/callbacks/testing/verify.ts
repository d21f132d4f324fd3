import { createHmac } from "node:crypto";
import { parse } from "node:querystring";
import type { Received } from "./receiver.ts";

// The checks of a receiver, written from the specification and independent of the sender's code.

export function isValidVersion2(received: Pick<Received, "target">, token: string): boolean {
  const fields = parse(received.target.slice(received.target.indexOf("?") + 1)) as Record<string, string>;
  const names = Object.keys(fields).filter((name) => name !== "hash");
  names.sort();
  let text = "";
  for (const name of names) text += `${text === "" ? "" : "&"}${name}=${fields[name]}`;
  return fields["hash"] === createHmac("sha256", Buffer.from(token)).update(Buffer.from(text)).digest("hex");
}

export function isValidVersion3(received: Pick<Received, "headers" | "body">, secret: string): boolean {
  const made = createHmac("sha256", Buffer.from(secret)).update(received.body).digest("hex");
  return received.headers["x-callback-signature"] === made;
}
