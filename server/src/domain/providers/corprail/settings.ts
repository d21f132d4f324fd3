import { z } from "zod";
import { type Fault, faultsOf } from "../settings/faults.ts";

export const CORPRAIL_SECRETS = ["token", "signing_secret", "callback_secret"] as const;
type SecretName = (typeof CORPRAIL_SECRETS)[number];
/** The callback secret is needed only when the other installation sends version 3 callbacks. */
export const REQUIRED_SECRETS: readonly SecretName[] = ["token", "signing_secret"];

export const CORPRAIL_SERVICES = ["recharge", "bills", "transfers", "bus", "aeps"] as const;
export type CorprailService = (typeof CORPRAIL_SERVICES)[number];

const milliseconds = (most: number) => z.int().min(100).max(most);

const settings = z
  .strictObject({
    base_url: z.string().refine(isOrigin, "Must be https://host or https://host:port, nothing after it."),
    plain_http: z.boolean().default(false),
    services: z
      .array(z.enum(CORPRAIL_SERVICES, `Must be one of ${CORPRAIL_SERVICES.join(", ")}.`))
      .min(1, "Must name at least one service.")
      .default([...CORPRAIL_SERVICES]),
    operators: z.record(z.string(), z.string()).optional(),
    timeouts: z
      .strictObject({ connect_ms: milliseconds(30_000).default(5000), whole_ms: milliseconds(120_000).default(30_000) })
      .default({ connect_ms: 5000, whole_ms: 30_000 }),
    quiet_ms: z.int().min(0).max(86_400_000).default(60_000),
  })
  .refine((value) => value.plain_http || value.base_url.startsWith("https:"), {
    path: ["base_url"],
    message: "Is not https: the token would travel in clear. Set plain_http to true to allow it.",
  });

export type CorprailSettings = z.infer<typeof settings>;

export function readCorprailSettings(
  value: unknown,
): { readonly ok: true; readonly settings: CorprailSettings } | { readonly ok: false; readonly faults: readonly Fault[] } {
  const read = settings.safeParse(value);
  return read.success ? { ok: true, settings: read.data } : { ok: false, faults: faultsOf(read.error) };
}

// No path is allowed: the API's path exists on every installation, so a 404 can only be about the reference.
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+$/.test(text) && URL.canParse(text);
}
