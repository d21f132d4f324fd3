// A first program with the SDK: a recharge that is pending first, its callback, a complaint and the refund.
// docs/guide/first-program.md says how to run it.
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { bookingKey, CallbackVerifier, Corprail, nodeHandler } from "@corprail/sdk";

const corprail = new Corprail({
  baseUrl: process.env.CORPRAIL_BASE_URL ?? "http://127.0.0.1:8080",
  token: process.env.CORPRAIL_TOKEN ?? "",
  signingSecret: process.env.CORPRAIL_SIGNING_SECRET,
});
const verifier = new CallbackVerifier({ callbackSecret: process.env.CORPRAIL_CALLBACK_SECRET });
const patience = AbortSignal.timeout(5 * 60_000);

// In production, use a table with a unique key, so that a callback that arrives twice is booked once.
const booked = new Map();
const bookings = new EventEmitter();

function book(callback) {
  if (booked.has(callback.bookingKey)) return;
  booked.set(callback.bookingKey, callback);
  console.log(`callback: ${callback.kind} ${callback.status}, version ${callback.version}`);
  bookings.emit("booked");
}

async function arrived(wanted) {
  const key = bookingKey(wanted);
  while (!booked.has(key)) await once(bookings, "booked", { signal: patience });
  return booked.get(key);
}

const onRefused = (reason) => console.log(`callback refused: ${reason}`);
const receiver = createServer(nodeHandler(verifier, book, { onRefused }));
receiver.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
await once(receiver, "listening");

console.log(`balance: ${(await corprail.account.balance()).balance}`);

// Your own reference. Store it before you send the request, so that you can find the order after a crash.
const urid = `shop-${Date.now()}`;
const order = await corprail.recharge.create({ urid, account: "9876543200", operator: "AT", amount: "10.00" });
console.log(`recharge: ${order.outcome}, customer's refund: ${order.customerRefund}`);
if (order.outcome !== "pending") throw new Error("A number that ends in 200 is pending first, with the simulator.");

await arrived({ kind: "status", orderId: order.orderId, status: "SUCCESS" });
console.log(`recharge: ${(await corprail.recharge.get({ urid })).outcome}`);

const complaint = await corprail.complaints.raise({ urid, reason: "not_credited", description: "The customer has received nothing." });
console.log(`complaint: ${complaint.complaintRef} is ${complaint.status}`);

// Wait until staff have decided. A FAILED after a SUCCESS is a reversal: apply it.
await arrived({ kind: "status", orderId: order.orderId, status: "FAILED" });
const outcome = await arrived({ kind: "complaint", complaintRef: complaint.complaintRef });
const cleared = await corprail.complaints.get(complaint.complaintRef);
console.log(`complaint: ${cleared.status}, ${outcome.refundAmount} back: ${cleared.reason}`);
const end = await corprail.recharge.get({ urid });
console.log(`recharge: ${end.outcome}, customer's refund: ${end.customerRefund}`);
console.log(`balance: ${(await corprail.account.balance()).balance}`);
receiver.close();
