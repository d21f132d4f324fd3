import { createSocket } from "node:dgram";
import { once } from "node:events";
import { parseAddress } from "../../../platform/network/address.ts";

export type NameServer = {
  /** In the form that node:dns expects. */
  readonly address: string;
  /** Addresses by name. A name without an entry does not exist; `silent` gets no answer. */
  readonly names: Map<string, readonly string[] | "silent">;
  /** The queries received, as `name type`. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<number, "ipv4" | "ipv6">> = { 1: "ipv4", 28: "ipv6" };
const HEADER_BYTES = 12;

/** A DNS server on a real socket that answers A and AAAA queries. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket("udp4");
  const names: NameServer["names"] = new Map();
  const asked: string[] = [];
  socket.on("message", (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${name} ${type}`);
    const known = names.get(name);
    if (known === "silent") return;
    const addresses = (known ?? []).flatMap((text) => parseAddress(text) ?? []).filter((address) => address.kind() === TYPES[type]);
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = addresses.map((address) => record(type, Buffer.from(address.toByteArray())));
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Refers to the question's name, with a time to live of zero. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
