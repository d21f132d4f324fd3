import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApprovalCause, type ApprovalState, nextApprovalState } from "./approval.ts";
import { maintainApprovals } from "./approvals-job.ts";
import { askApproval } from "./ask-approval.ts";
import { approve, reject, withdraw } from "./decide-approval.ts";
import { execute } from "./execute.ts";
import { findApproval } from "./store.ts";
import { type ApprovalsFixture, createApprovalsFixture, staff, walletMove } from "./testing/fixture.ts";

let fixture: ApprovalsFixture;
beforeAll(async () => {
  fixture = await createApprovalsFixture();
});
afterAll(() => fixture.close());

const HOURS_25 = 25 * 60 * 60 * 1000;
const FIRST_RUPEES = 100;

// What anybody may try, in any order, sense or no sense. "agree, then die": the process is gone after its decision.
const step = fc.record({
  verb: fc.constantFrom("ask", "ask", "ask", "approve", "approve", "agree, then die", "reject", "withdraw", "a day passes", "look after"),
  by: fc.nat({ max: 2 }),
  reference: fc.nat({ max: 2 }),
  rupees: fc.constantFrom(40, 40, -70),
});
type Step = { readonly verb: string; readonly by: number; readonly reference: number; readonly rupees: number };

type Known = { readonly by: number; readonly rupees: number; state: ApprovalState; overdue: boolean };

/** All of it in a few lines: who asked for what, how it stands, what is in the wallet and which references were used. */
class Model {
  readonly known: Known[] = [];
  readonly used = new Map<number, number>();
  balance = FIRST_RUPEES;
  /** The latest about each reference. */
  readonly latest = new Map<number, number>();

  ask({ by, reference, rupees }: Step): string {
    const open = this.open(reference);
    if (open && open.state === "waiting" && open.overdue) this.move(open, "expire");
    else if (open) return open.rupees === rupees ? "waits" : "conflict";
    this.latest.set(reference, this.known.push({ by, rupees, state: "waiting", overdue: false }) - 1);
    return "waits";
  }

  decide(cause: ApprovalCause, { by, reference }: Step, dies = false): string {
    const one = this.known[this.latest.get(reference) ?? -1];
    if (!one) return "not_found";
    const own = one.by === by;
    if (own !== (cause === "withdraw") || one.state !== "waiting" || one.overdue) return "conflict";
    this.move(one, cause);
    if (!dies) this.finish(one, reference);
    return "done";
  }

  lookAfter(): void {
    for (const one of this.known) if (one.state === "waiting" && one.overdue) this.move(one, "expire");
    for (const [reference, place] of this.latest) this.finish(this.known[place], reference);
  }

  dayPasses(): void {
    for (const one of this.known) one.overdue = true;
  }

  private finish(one: Known | undefined, reference: number): void {
    if (one?.state !== "approved") return;
    const before = this.used.get(reference);
    if (before === undefined && this.balance + one.rupees >= 0) {
      this.balance += one.rupees;
      this.used.set(reference, one.rupees);
    }
    this.move(one, this.used.get(reference) === one.rupees ? "finish" : "fail");
  }

  private open(reference: number): Known | null {
    const one = this.known[this.latest.get(reference) ?? -1];
    return one && (one.state === "waiting" || one.state === "approved") ? one : null;
  }

  private move(one: Known, cause: ApprovalCause): void {
    const next = nextApprovalState(one.state, cause);
    if (!next) throw new Error(`The model lets ${cause} happen to what is ${one.state}.`);
    one.state = next;
  }
}

/** The service beside the model: the same steps, by the real verbs. */
class Real {
  readonly ids: string[] = [];
  private readonly latest = new Map<number, string>();

  private readonly accountId: string;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  async ask({ by, reference, rupees }: Step): Promise<string> {
    const asked = await askApproval(fixture.ctx, staff(`P${by}`), walletMove(this.accountId, rupees, `ref-${reference}`));
    if (asked.kind === "waits" && !this.ids.includes(asked.approval.approvalId)) {
      this.ids.push(asked.approval.approvalId);
      this.latest.set(reference, asked.approval.approvalId);
    }
    return asked.kind;
  }

  async decide(verb: typeof approve, { by, reference }: Step, dies = false): Promise<string> {
    const ctx = dies ? { ...fixture.ctx, executors: {} } : fixture.ctx;
    const approvalId = this.latest.get(reference) ?? "NOBODY";
    return (await verb(ctx, staff(`P${by}`), { approvalId, reason: "tried" })).kind;
  }

  async states(): Promise<readonly (string | undefined)[]> {
    return await Promise.all(this.ids.map(async (approvalId) => (await findApproval(fixture.ctx.sql, approvalId))?.state));
  }
}

async function take(model: Model, real: Real, one: Step): Promise<void> {
  switch (one.verb) {
    case "ask":
      return expect(await real.ask(one)).toBe(model.ask(one));
    case "approve":
      return expect(await real.decide(approve, one)).toBe(model.decide("approve", one));
    case "agree, then die":
      return expect(await real.decide(approve, one, true)).toBe(model.decide("approve", one, true));
    case "reject":
      return expect(await real.decide(reject, one)).toBe(model.decide("reject", one));
    case "withdraw":
      return expect(await real.decide(withdraw, one)).toBe(model.decide("withdraw", one));
    case "a day passes":
      model.dayPasses();
      return fixture.settings.clock.advance(HOURS_25);
    default:
      model.lookAfter();
      fixture.settings.clock.advance(60_000);
      await maintainApprovals(fixture.ctx);
      // Once more for each that has ended: nothing comes of it.
      for (const approvalId of real.ids) await execute(fixture.ctx, approvalId);
  }
}

test("whatever is tried in whatever order, states and money are those of the model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const accountId = await fixture.account(FIRST_RUPEES);
      const [model, real] = [new Model(), new Real(accountId)];
      for (const one of steps) {
        await take(model, real, one);
        expect(await real.states()).toEqual(model.known.map((known) => known.state));
        expect(await fixture.balance(accountId)).toBe(model.balance);
      }
    }),
    { numRuns: 40 },
  );
  expect(await fixture.violations()).toBe(0);
});

test("only a waiting one is decided, only an approved one ends, and nothing else ever changes", () => {
  const states: readonly ApprovalState[] = ["waiting", "approved", "rejected", "withdrawn", "expired", "done", "failed"];
  const causes: readonly ApprovalCause[] = ["approve", "reject", "withdraw", "expire", "finish", "fail"];
  const ways = states.flatMap((state) => causes.map((cause) => [state, cause, nextApprovalState(state, cause)] as const));
  expect(ways.filter(([, , next]) => next !== null).map(([from, , to]) => `${from} → ${to}`)).toEqual([
    "waiting → approved",
    "waiting → rejected",
    "waiting → withdrawn",
    "waiting → expired",
    "approved → done",
    "approved → failed",
  ]);
});
