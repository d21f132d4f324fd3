import type { Schemas } from "../../operator-api.ts";
import type { Tone } from "../../ui/formats/badge.tsx";

export type Target = Schemas["CallbackTarget"];

type StateText = { readonly label: string; readonly tone: Tone; readonly description: string };

export const TARGET_STATES: Readonly<Record<Target["state"], StateText>> = {
  broken: { label: "Breaker open", tone: "bad", description: "The receiver failed ten times in a row. It is probed once a minute." },
  failing: { label: "Failing", tone: "bad", description: "The latest attempts failed. Each callback is retried." },
  paused: { label: "Paused", tone: "wait", description: "This account's callbacks are paused." },
  parked: { label: "No URL", tone: "wait", description: "The account has no callback URL. Callbacks are sent as soon as one is set." },
};

export function waitingText({ waiting, waiting_more: more }: Target): string {
  return more ? `${waiting} or more` : String(waiting);
}
