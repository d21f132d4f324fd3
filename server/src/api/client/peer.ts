import type { Socket } from "node:net";
import { type Address, parseAddress, withoutZone } from "../../platform/network/address.ts";

const known = new WeakMap<Socket, Address>();

/** The peer's address, read once per connection; null if the connection is gone. */
export function peerAddress(socket: Socket): Address | null {
  const before = known.get(socket);
  if (before) return before;
  const address = socket.remoteAddress === undefined ? null : parseAddress(withoutZone(socket.remoteAddress));
  if (address) known.set(socket, address);
  return address;
}
