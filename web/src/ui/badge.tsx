import type { ReactNode } from "react";
import { classes } from "./classes.ts";

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
  SUCCESS: { tone: "good", label: "Success" },
  FAILED: { tone: "bad", label: "Failed" },
  pending: { tone: "wait", label: "Pending" },
  Reversed: { tone: "back", label: "Reversed" },
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Failed" },
  waiting: { tone: "wait", label: "Waiting" },
  uploaded: { tone: "wait", label: "Uploaded" },
  running: { tone: "accent", label: "Running" },
  done: { tone: "good", label: "Done" },
  cancelled: { tone: "plain", label: "Cancelled" },
  active: { tone: "good", label: "Active" },
  disabled: { tone: "plain", label: "Disabled" },
  open: { tone: "wait", label: "Open" },
  resolved: { tone: "good", label: "Resolved" },
  rejected: { tone: "bad", label: "Rejected" },
  up: { tone: "good", label: "Up" },
  down: { tone: "bad", label: "Down" },
  idle: { tone: "plain", label: "Not contacted" },
  degraded: { tone: "wait", label: "Degraded" },
  slow: { tone: "wait", label: "Slow" },
  off: { tone: "plain", label: "Off" },
  no_provider: { tone: "bad", label: "No provider" },
  closed: { tone: "wait", label: "Closed" },
  parked: { tone: "wait", label: "Parked" },
  paused: { tone: "wait", label: "Paused" },
  OPEN: { tone: "wait", label: "Open" },
  RESOLVED: { tone: "good", label: "Resolved" },
  REFUNDED: { tone: "back", label: "Refunded" },
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
