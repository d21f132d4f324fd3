import type { Schemas as OperatorSchemas } from "./operator-api.ts";
import type { PortalApi } from "./portal-api.ts";
import { typedCalls } from "./ui/typed-calls.ts";

/** A call that both sites serve at the same path. Its reply is either site's, so shared code reads only what both have. */
type Common<Path extends keyof PortalApi, OperatorReply> = PortalApi[Path] extends {
  readonly input: infer Input;
  readonly reply: infer Reply;
}
  ? { readonly input: Input; readonly reply: Reply | OperatorReply }
  : never;

type CommonApi = {
  readonly "GET /callbacks/:callback_id": Common<"GET /callbacks/:callback_id", OperatorSchemas["CallbackDetail"]>;
  readonly "POST /callbacks/:callback_id/resend": Common<"POST /callbacks/:callback_id/resend", OperatorSchemas["CallbackDetail"]>;
  readonly "GET /jobs/:job_id": Common<"GET /jobs/:job_id", OperatorSchemas["Job"]>;
  readonly "POST /jobs/:job_id/cancel": Common<"POST /jobs/:job_id/cancel", OperatorSchemas["Job"]>;
};

export const { get, post } = typedCalls<CommonApi>();
