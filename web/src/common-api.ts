import type { OperatorApi } from "./operator-api.ts";
import type { PortalApi } from "./portal-api.ts";
import { typedCalls } from "./ui/requests/typed-calls.ts";

/** A call that both sites serve at the same path. Its reply is either site's, so shared code reads only what both have. */
type Common<Path extends keyof PortalApi & keyof OperatorApi> = PortalApi[Path] extends { readonly input: infer Input }
  ? { readonly input: Input; readonly reply: Reply<PortalApi[Path]> | Reply<OperatorApi[Path]> }
  : never;

type Reply<Action> = Action extends { readonly reply: infer Body } ? Body : never;

type CommonApi = {
  readonly [Path in
    | "GET /callbacks/:callback_id"
    | "POST /callbacks/:callback_id/resend"
    | "GET /jobs/:job_id"
    | "POST /jobs/:job_id/cancel"]: Common<Path>;
};

export const { get, post } = typedCalls<CommonApi>();
