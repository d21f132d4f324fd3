import { DECLINE_CLASSES, DECLINE_REASONS, REFUSAL_CODES } from "@corprail/connector";
import { z } from "zod";
import { conditions, reader } from "./read.ts";
import { seconds } from "./words.ts";

// Rules decide what an answer means. The first rule whose conditions all hold applies. Without a condition on $http a rule
// applies to HTTP 200 only, because other statuses are definite only where the description says so.

const when = { when: conditions };
const ofSuccess = {
  operator_ref_optional: z.boolean().optional().describe("Also a success when the answer has no operator_ref."),
  recheck_after_seconds: seconds(60, 30 * 86_400)
    .optional()
    .describe("Ask again after this time, because the provider may still reverse it."),
};
const ofDecline = {
  decline: z
    .enum(DECLINE_CLASSES)
    .optional()
    .describe("final: about this customer, try nobody else. provider (default): try the next. float: no money there. busy: no capacity."),
  failure: z.enum(DECLINE_REASONS).optional().describe("What the client sees, declined by default."),
};

const success = z.strictObject({ ...when, means: z.literal("success"), ...ofSuccess });
const declined = z.strictObject({ ...when, means: z.literal("declined"), ...ofDecline });
const reversed = z.strictObject({ ...when, means: z.literal("reversed"), failure: ofDecline.failure });
const plain = <const Meaning extends string>(meaning: Meaning) => z.strictObject({ ...when, means: z.literal(meaning) });

const oneOf = (names: string) => ({ error: `means must be one of ${names}.` });

export const sendRules = z.array(
  z.discriminatedUnion(
    "means",
    [success, declined, plain("pending"), plain("unknown"), plain("continue")],
    oneOf("success, declined, pending, unknown and continue"),
  ),
);
export const statusRules = z.array(
  z.discriminatedUnion(
    "means",
    [success, declined, reversed, plain("pending"), plain("not_found"), plain("unknown"), plain("continue")],
    oneOf("success, declined, reversed, pending, not_found, unknown and continue"),
  ),
);
export const callbackRules = z.array(
  z.discriminatedUnion(
    "means",
    [success, declined, reversed, plain("pending"), plain("ask")],
    oneOf("success, declined, reversed, pending and ask"),
  ),
);
export const queryRules = z.array(
  z.discriminatedUnion(
    "means",
    [
      z.strictObject({
        ...when,
        means: z.literal("answered"),
        value: z.record(z.string(), reader).optional().describe("Members that replace those of the operation's own value."),
      }),
      z.strictObject({ ...when, means: z.literal("refused"), code: z.enum(REFUSAL_CODES).optional() }),
      plain("unavailable"),
      plain("continue"),
    ],
    oneOf("answered, refused, unavailable and continue"),
  ),
);

export type SendRule = z.infer<typeof sendRules>[number];
export type StatusRule = z.infer<typeof statusRules>[number];
export type CallbackRule = z.infer<typeof callbackRules>[number];
export type QueryRule = z.infer<typeof queryRules>[number];
export type Rule = SendRule | StatusRule | CallbackRule | QueryRule;
