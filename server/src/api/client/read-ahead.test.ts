import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Account } from "../../domain/accounts/account.ts";
import { route } from "../../domain/client-api/route.ts";
import { type Dispatched, dispatch } from "./dispatch.ts";
import type { Admission } from "./gate/admission.ts";
import { createCongestion } from "./gate/congestion.ts";
import { accountWith, tokenOf } from "./gate/testing/account.ts";
import { routeTable } from "./route-table.ts";
import { allow } from "./testing/gate-fixture.ts";

type Scripted = {
  readonly handle?: () => Promise<{ readonly kind: "record"; readonly fields: { readonly ok: true } }>;
  readonly isOver?: boolean;
  readonly account?: Partial<Account>;
};

/** A lookup that reads ahead, on a gate whose counting the test finishes. */
function lookUp({ handle = async () => ({ kind: "record", fields: { ok: true } }), isOver = false, account: more = {} }: Scripted = {}) {
  const account = accountWith({ accountId: "A1", allowlist: allow("127.0.0.1"), ...more });
  const known = { account };
  const handledFor: Account[] = [];
  const counting = { finish: (_: Admission) => {} };
  const definition = route({
    ...{ method: "GET", path: "/look", service: "recharge", kind: "lookup", summary: "", readsAhead: true },
    input: z.object({}),
    reply: z.object({}),
    handle: (call) => {
      handledFor.push(call.account);
      return handle();
    },
  });
  const gate = {
    clock: { now: () => Date.now() },
    findToken: () => tokenOf(known.account, undefined),
    accountById: () => known.account,
    ensureFresh: () => undefined,
    admission: {
      admit: () => new Promise<Admission>((resolve) => Object.assign(counting, { finish: resolve })),
      isOver: () => isOver,
      ahead: () => 0,
      waitSeconds: () => 0,
      stalledMilliseconds: () => 0,
    },
    congestion: createCongestion(),
    trustedProxies: [],
  };
  const request = {
    ...{ method: "GET", target: "/api/corp/v1/look", rawHeaders: ["Host", "a", "X-Api-Token", "t"], arrivedAt: performance.now() },
    socket: { remoteAddress: "127.0.0.1" } as Socket,
    read: () => ({ kind: "whole" as const, bytes: Buffer.alloc(0) }),
  };
  const dispatched = dispatch({ table: routeTable([definition]), gate }, request, "R1", { read: 0, gate: 0, work: 0 });
  return {
    handledFor,
    account,
    change: (changed: Partial<Account>) => {
      known.account = accountWith({ ...account, ...changed });
      return known.account;
    },
    finish: async (admission: Admission): Promise<Dispatched | null> => {
      counting.finish(admission);
      return await dispatched;
    },
  };
}

const OVER: Admission = { kind: "over", retryAfterSeconds: 1 };

test("a lookup is made while the gate counts the request, once", async () => {
  const one = lookUp();
  expect(one.handledFor).toEqual([one.account]);
  expect(await one.finish({ kind: "admitted" })).toMatchObject({ reply: { status: 200, body: { ok: true } } });
  expect(one.handledFor).toHaveLength(1);
});

test("the answer of a lookup that the gate refuses is dropped, also when it fails", async () => {
  const replayed = await lookUp().finish({ kind: "replayed" });
  expect(replayed).toMatchObject({ reply: { status: 401, body: { error: "invalid_signature" } } });
  const failing = lookUp({ handle: () => Promise.reject(new Error("no answer")) });
  expect(await failing.finish(OVER)).toMatchObject({ reply: { status: 429 } });
});

test("nothing is looked up for a request that is known to be refused", async () => {
  const known = [lookUp({ isOver: true }), lookUp({ account: { signingRequired: true } })];
  expect((await known[0]?.finish(OVER))?.reply.status).toBe(429);
  expect((await known[1]?.finish({ kind: "admitted" }))?.reply.status).toBe(401);
  expect(known.map((one) => one.handledFor)).toEqual([[], []]);
});

test("an account that is changed while its request is counted is looked up again", async () => {
  const one = lookUp();
  const changed = one.change({ standing: "paused" });
  expect(await one.finish({ kind: "admitted" })).toMatchObject({
    account: changed,
    reply: { status: 403, body: { error: "account_paused" } },
  });
});
