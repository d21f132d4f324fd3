import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, apiUrl, get, handleApi, keepCsrfToken, post } from "./api.ts";
import { typedCalls } from "./typed-calls.ts";

const calls = vi.fn<typeof fetch>();
const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { "x-request-id": "req-9" } });
const stepUp = vi.fn<() => Promise<boolean>>();
const signedOut = vi.fn();

beforeEach(() => {
  vi.stubGlobal("fetch", calls);
  handleApi({ stepUp, signedOut });
  keepCsrfToken("csrf-1");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  keepCsrfToken(null);
});

test("the address of a call leaves out what is not set and escapes the rest", () => {
  expect(apiUrl("/orders", { status: "", from: undefined, to: null, search: "a b&c", limit: 0 })).toBe(
    "/api/orders?search=a+b%26c&limit=0",
  );
});

test("parameters of the path are put into it, and the rest is the query or the body", async () => {
  type Api = {
    readonly "GET /jobs/:job_id": {
      readonly input: { readonly job_id: string; readonly limit?: string };
      readonly reply: { readonly id: string };
    };
    readonly "POST /jobs/:job_id/cancel": { readonly input: { readonly job_id: string; readonly why: string }; readonly reply: object };
  };
  const api = typedCalls<Api>();
  calls.mockImplementation(async () => answer(200, { id: "1" }));
  expect(await api.get("/jobs/:job_id", { job_id: "a/b", limit: "5" })).toEqual({ id: "1" });
  await api.post("/jobs/:job_id/cancel", { job_id: "7", why: "late" });
  expect(calls.mock.calls.map(([url, init]) => [url, init?.body])).toEqual([
    ["/api/jobs/a%2Fb?limit=5", undefined],
    ["/api/jobs/7/cancel", '{"why":"late"}'],
  ]);
});

describe("errors", () => {
  test("carry the code, the message, the request id and the messages by field", async () => {
    calls.mockResolvedValue(answer(422, { error: "invalid_request", message: "Check the fields.", fields: { from: "Too old." } }));
    const error = await get("/orders").catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, error: "invalid_request", requestId: "req-9", fields: { from: "Too old." } });
  });

  test("no response at all has status 0", async () => {
    calls.mockRejectedValue(new TypeError("failed"));
    await expect(get("/orders")).rejects.toMatchObject({ status: 0, error: "no_answer" });
  });

  test("an ended session signs the user out, and the caller gets the error", async () => {
    calls.mockResolvedValue(answer(401, { error: "unauthorized", message: "Sign in." }));
    await expect(get("/orders")).rejects.toMatchObject({ status: 401 });
    expect(signedOut).toHaveBeenCalledOnce();
  });
});

describe("a change that needs a recent proof", () => {
  const refused = () => answer(403, { error: "step_up_required", message: "Confirm your identity." });

  test("is sent again after the proof", async () => {
    calls.mockResolvedValueOnce(refused()).mockResolvedValueOnce(answer(200, { done: true }));
    stepUp.mockResolvedValue(true);
    expect(await post("/credentials/token")).toEqual({ done: true });
    expect(calls).toHaveBeenCalledTimes(2);
  });

  test("is not sent again when the proof is cancelled", async () => {
    calls.mockResolvedValueOnce(refused());
    stepUp.mockResolvedValue(false);
    await expect(post("/credentials/token")).rejects.toMatchObject({ error: "step_up_cancelled" });
    expect(calls).toHaveBeenCalledTimes(1);
  });
});

test("a change is repeated with the new token after another tab has signed in again", async () => {
  calls
    .mockResolvedValueOnce(answer(403, { error: "forbidden", message: "Wrong token." }))
    .mockResolvedValueOnce(answer(200, { csrf_token: "csrf-2" }))
    .mockResolvedValueOnce(answer(200, {}));
  await post("/team/invitations", { email: "a@b.example" });
  expect(calls.mock.calls.map(([, init]) => new Headers(init?.headers).get("x-csrf-token"))).toEqual(["csrf-1", null, "csrf-2"]);
});
