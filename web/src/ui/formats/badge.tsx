import type { ReactNode } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { classes } from "../classes.ts";

export type Tone = "good" | "bad" | "wait" | "back" | "accent" | "plain";

const TONES: Readonly<Record<Tone, string>> = {
  good: "bg-good-tint text-good",
  bad: "bg-bad-tint text-bad",
  wait: "bg-wait-tint text-wait",
  back: "bg-back-tint text-back",
  accent: "bg-accent-tint text-accent",
  plain: "bg-sunken text-soft",
};

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span
      className={classes("inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 text-xs font-medium", TONES[tone])}
    >
      {children}
    </span>
  );
}

// Colour and label of every known state. An unknown state is shown as plain text.
const STATES: Readonly<Record<string, { readonly tone: Tone; readonly label: string }>> = {
  SUCCESS: { tone: "good", label: uiText.success },
  FAILED: { tone: "bad", label: uiText.failed },
  pending: { tone: "wait", label: uiText.pending },
  Reversed: { tone: "back", label: uiText.reversed },
  delivered: { tone: "good", label: uiText.delivered },
  failed: { tone: "bad", label: uiText.failed },
  waiting: { tone: "wait", label: uiText.waiting },
  uploaded: { tone: "wait", label: uiText.uploaded },
  running: { tone: "accent", label: uiText.running },
  done: { tone: "good", label: uiText.done },
  cancelled: { tone: "plain", label: uiText.cancelled },
  active: { tone: "good", label: uiText.active },
  disabled: { tone: "plain", label: uiText.disabled },
  open: { tone: "wait", label: uiText.open },
  resolved: { tone: "good", label: uiText.resolved },
  rejected: { tone: "bad", label: uiText.rejected },
  up: { tone: "good", label: uiText.up },
  down: { tone: "bad", label: uiText.down },
  idle: { tone: "plain", label: uiText.notContacted },
  degraded: { tone: "wait", label: uiText.degraded },
  slow: { tone: "wait", label: uiText.slow },
  off: { tone: "plain", label: uiText.off },
  no_provider: { tone: "bad", label: uiText.noProvider },
  closed: { tone: "wait", label: uiText.closed },
  parked: { tone: "wait", label: uiText.parked },
  paused: { tone: "wait", label: uiText.paused },
  OPEN: { tone: "wait", label: uiText.open },
  RESOLVED: { tone: "good", label: uiText.resolved },
  REFUNDED: { tone: "back", label: uiText.refunded },
};

/** A state as a coloured badge with its label. */
export function Status({ value, label }: { readonly value: string; readonly label?: string }): ReactNode {
  const state = STATES[value] ?? { tone: "plain" as const, label: value };
  return (
    <Badge tone={state.tone}>
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {label ?? state.label}
    </Badge>
  );
}
