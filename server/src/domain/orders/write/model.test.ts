import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moneyOf } from "../../../platform/core/money.ts";
import type { Order } from "../order.ts";
import { createOrdersFixture, money, newOrder, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, cancel, reverse, settle, topUp, watch } from "../testing/operations.ts";
import type { Operation, Written } from "./operations.ts";

let fixture: OrdersFixture;
let process: OrdersProcess;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  process = fixture.startProcess();
});
afterAll(() => fixture.close());

// Few references, so that most steps hit an existing order.
const ACCOUNTS = 2;
const REFERENCES = 4;
const FIRST_RUPEES = 60;

// Any operation in any sequence, valid or not.
const step = fc.record({
  kind: fc.constantFrom(
    ...["accept", "accept", "accept", "credit", "success", "success", "success", "failure", "reverse", "reverse", "schedule poll"],
    ...["cancel a part", "cancel a part", "cancel the rest", "top-up", "debit", "debit"],
  ),
  account: fc.nat({ max: ACCOUNTS - 1 }),
  reference: fc.nat({ max: REFERENCES - 1 }),
  amount: fc.integer({ min: 1, max: 40 }),
  fee: fc.constantFrom(0, 0, 1),
  // Never more than the amount, which is at least one.
  commission: fc.constantFrom(0, 0, 0.5, 1),
  // Quarters of the amount that can still be refunded.
  share: fc.nat({ max: 4 }),
});
type Step = {
  readonly kind: string;
  readonly account: number;
  readonly reference: number;
  readonly amount: number;
  readonly fee: number;
  readonly commission: number;
  readonly share: number;
};

type Known = { readonly order: Order; state: Order["state"]; cancelled: bigint };

/** A minimal model of the ledger: available balances, orders by reference, top-ups by reference. */
class Model {
  readonly balances = Array.from({ length: ACCOUNTS }, () => money(FIRST_RUPEES) as bigint);
  readonly orders = new Map<string, Known>();
  readonly topUps = new Map<string, bigint>();

  expected(operation: Operation, at: number): string {
    switch (operation.kind) {
      case "accept":
        return this.accept(operation.order, at);
      case "topup":
        return this.topUp(`${at}/${operation.reference}`, operation.amount, at);
      case "settle":
        return this.settle(operation.order, operation.to, at);
      case "reverse":
        return this.reverse(operation.order, at);
      case "cancel":
        return this.cancel(operation.order, operation.refund, operation.whole, at);
      default:
        return this.known(operation.order)?.state === "pending" ? "done" : "found";
    }
  }

  private accept(order: Order, at: number): string {
    const key = `${at}/${order.reference}`;
    if (this.orders.has(key)) return "found";
    // An order that credits the wallet needs only its fee.
    if (!this.move(at, -costOf(order))) return "insufficient funds";
    this.orders.set(key, { order, state: "pending", cancelled: 0n });
    return "done";
  }

  private topUp(key: string, amount: bigint, at: number): string {
    const known = this.topUps.get(key);
    if (known !== undefined) return known === amount ? "topped up" : "topped up, another amount";
    if (!this.move(at, amount)) return "insufficient funds";
    this.topUps.set(key, amount);
    return "topped up";
  }

  private settle(order: Order, to: Order["state"], at: number): string {
    const known = this.known(order);
    if (known?.state !== "pending") return "found";
    this.move(at, to === "FAILED" ? costOf(order) : earnedBy(order));
    known.state = to;
    return "done";
  }

  private reverse(order: Order, at: number): string {
    const known = this.known(order);
    if (known?.state !== "SUCCESS") return "found";
    // A credited amount must still be in the wallet; a debited amount is returned less earlier refunds.
    if (!this.move(at, returnedBy(order, known.cancelled))) return "insufficient funds";
    known.state = "FAILED";
    return "done";
  }

  private cancel(order: Order, refund: bigint, whole: boolean, at: number): string {
    const known = this.known(order);
    if (known?.state !== "SUCCESS") return "found";
    this.move(at, whole ? refund - least(order.commission, refund) : refund);
    known.cancelled += refund;
    if (whole) known.state = "FAILED";
    return "done";
  }

  /** Returns false, and moves nothing, when the balance would become negative. */
  private move(at: number, amount: bigint): boolean {
    const left = (this.balances[at] ?? 0n) + amount;
    if (left >= 0n) this.balances[at] = left;
    return left >= 0n;
  }

  private known(order: Order): Known | undefined {
    return [...this.orders.values()].find((one) => one.order === order);
  }
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const costOf = (order: Order) => (order.credit ? 0n : order.amount) + order.fee;
const earnedBy = (order: Order) => (order.credit ? order.amount : 0n) + order.commission;

/** The commission is taken back up to the refunded amount; a credit must be available in full. */
function returnedBy(order: Order, cancelled: bigint): bigint {
  if (order.credit) return costOf(order) - earnedBy(order);
  const returned = costOf(order) - cancelled;
  return returned - least(order.commission, returned);
}

/** The refund of a cancellation. The service ensures that it never exceeds the remainder. */
type RefundOf = (known: Known, one: Step) => bigint;

const upToAllOfIt: RefundOf = ({ order, cancelled }, one) => ((order.amount - cancelled) * BigInt(one.share)) / 4n;
// Small enough that the sum of all refunds stays below the smallest amount.
const aLittle: RefundOf = (_, one) => BigInt(one.share * 10);

function operationOf(one: Step, accounts: readonly string[], model: Model, refundOf: RefundOf): Operation | null {
  const accountId = accounts[one.account] ?? "";
  const reference = `r${one.reference}`;
  const [amount, fee, commission] = [money(one.amount), money(one.fee), money(one.commission)];
  if (one.kind === "accept") return accept(newOrder(accountId, { reference, amount, fee, commission }));
  if (one.kind === "credit") return accept(newOrder(accountId, { reference, amount, fee, commission, credit: true }));
  if (one.kind === "top-up") return topUp(accountId, one.amount * 3, `t${one.reference}`);
  if (one.kind === "debit") return topUp(accountId, -one.amount, `t${one.reference}`);
  const known = model.orders.get(`${one.account}/${reference}`);
  return known ? changeOf(one, known, refundOf) : null;
}

function changeOf(one: Step, known: Known, refundOf: RefundOf): Operation | null {
  const { order } = known;
  if (one.kind === "schedule poll") return watch(order);
  if (one.kind === "reverse") return reverse(order);
  if (!one.kind.startsWith("cancel")) return settle(order, one.kind === "success" ? "SUCCESS" : "FAILED");
  // Orders that credit the wallet cannot be cancelled.
  if (order.credit) return null;
  return { ...cancel(order, 0, one.kind === "cancel the rest"), refund: moneyOf(refundOf(known, one)) };
}

function wordOf(written: Written): string {
  return written.kind === "topped up" && !written.sameAmount ? "topped up, another amount" : written.kind;
}

const newAccounts = () => Promise.all(Array.from({ length: ACCOUNTS }, () => fixture.newAccount(process, FIRST_RUPEES)));
const balancesOf = (accounts: readonly string[]) => Promise.all(accounts.map(fixture.balance));
const rupees = (amounts: readonly bigint[]) => amounts.map((amount) => Number(amount) / 10_000);

test("in sequence, every result and balance equals the model's, and no invariant is violated", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: "max" }), async (steps) => {
      const [model, accounts] = [new Model(), await newAccounts()];
      for (const one of steps) {
        const operation = operationOf(one, accounts, model, upToAllOfIt);
        if (!operation) continue;
        const expected = model.expected(operation, one.account);
        expect(wordOf(await process.ctx.writer.write(operation))).toBe(expected);
      }
      expect(await balancesOf(accounts)).toEqual(rupees(model.balances));
      expect(await fixture.violations()).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

type Answered = { readonly at: number; readonly operation: Operation; readonly written: Written };

const isDone = ({ written }: Answered) => written.kind === "done";

/** The change of an account's available balance according to the results, in any order. */
function effectOf(answers: readonly Answered[]): bigint {
  const entries = new Map<string, bigint>();
  const refunds = new Map<string, bigint>();
  for (const { operation, written } of answers) {
    if (operation.kind === "topup" && written.kind === "topped up" && written.sameAmount) entries.set(written.entry, operation.amount);
    if (operation.kind === "cancel" && written.kind === "done")
      refunds.set(operation.order.orderId, (refunds.get(operation.order.orderId) ?? 0n) + operation.refund);
  }
  const changes = answers.filter(isDone).map(({ operation }) => changeBy(operation, refunds));
  return [...entries.values(), ...refunds.values(), ...changes].reduce((sum, one) => sum + one, 0n);
}

/** The changes of an order except its refunds, all of which precede a reversal. */
function changeBy(operation: Operation, refunds: ReadonlyMap<string, bigint>): bigint {
  if (operation.kind === "topup") return 0n;
  const { order } = operation;
  if (operation.kind === "accept") return -costOf(order);
  if (operation.kind === "settle") return operation.to === "FAILED" ? costOf(order) : earnedBy(order);
  if (operation.kind === "cancel") return operation.whole ? -least(order.commission, operation.refund) : 0n;
  return operation.kind === "reverse" ? returnedBy(order, refunds.get(order.orderId) ?? 0n) : 0n;
}

test("concurrently, the balances equal the sum of the results, and no invariant is violated", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 25, size: "max" }), { minLength: 3, maxLength: 6, size: "max" }),
      async (rounds) => {
        const [model, accounts] = [new Model(), await newAccounts()];
        const answers: Answered[] = [];
        for (const round of rounds) {
          const wanted = round.map((one) => ({ at: one.account, operation: operationOf(one, accounts, model, aLittle) }));
          const written = await Promise.all(wanted.map(({ operation }) => (operation ? process.ctx.writer.write(operation) : null)));
          wanted.forEach(({ at, operation }, place) => {
            const answer = written[place];
            if (!operation || !answer) return;
            answers.push({ at, operation, written: answer });
            if (operation.kind === "accept" && answer.kind === "done")
              model.orders.set(`${at}/${operation.order.reference}`, { order: operation.order, state: "pending", cancelled: 0n });
          });
        }
        const effects = accounts.map((_, at) => effectOf(answers.filter((one) => one.at === at)));
        expect(await balancesOf(accounts)).toEqual(rupees(effects.map((one) => money(FIRST_RUPEES) + one)));
        expect(await fixture.violations()).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
