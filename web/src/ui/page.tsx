import type { ReactNode } from "react";
import { classes } from "./classes.ts";

/** The title of a page, a one-sentence description, and its actions. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {children !== undefined && <p className="mt-1 max-w-prose text-soft">{children}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

type CardProps = {
  readonly title?: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** No padding, so that tables reach the card's edges. */
  readonly flush?: boolean;
  readonly className?: string;
};

export function Card({ title, hint, actions, children, flush = false, className }: CardProps): ReactNode {
  return (
    <section className={classes("overflow-hidden rounded-xl border border-line bg-surface", className)}>
      {title !== undefined && (
        <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4 pb-3 sm:flex-nowrap">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">{title}</h2>
            {hint !== undefined && <p className="mt-0.5 max-w-prose text-soft">{hint}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2 sm:shrink-0">{actions}</div>}
        </div>
      )}
      <div className={flush ? "" : classes("px-5 pb-5", title === undefined && "pt-5")}>{children}</div>
    </section>
  );
}

/** A labelled figure. */
export function Stat({
  label,
  children,
  note,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
}): ReactNode {
  return (
    <div className="rounded-xl border border-line bg-surface p-5">
      <p className="text-soft">{label}</p>
      <p className="mt-1 min-h-8 text-xl font-semibold tabular-nums">{children}</p>
      {note !== undefined && <p className="mt-1 text-soft text-xs">{note}</p>}
    </div>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

type FactsProps = {
  readonly facts: readonly Fact[];
  /** On a narrow page each label is above its value, for long values. */
  readonly stacked?: boolean;
};

/** Labels and values, as in a drawer. */
export function Facts({ facts, stacked = false }: FactsProps): ReactNode {
  return (
    <dl
      className={classes(
        "grid gap-x-4 gap-y-2.5 sm:grid-cols-[minmax(7rem,auto)_1fr] sm:gap-x-6",
        !stacked && "grid-cols-[minmax(5.5rem,auto)_1fr]",
      )}
    >
      {facts.map(([name, value]) => (
        <div key={name} className={classes("grid grid-cols-subgrid items-baseline", stacked ? "sm:col-span-2" : "col-span-2")}>
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A highlighted message. */
export function Notice({
  tone = "wait",
  children,
}: {
  readonly tone?: "wait" | "good" | "bad" | "accent";
  readonly children: ReactNode;
}): ReactNode {
  const tones = {
    wait: "border-wait/40 bg-wait-tint",
    good: "border-good/40 bg-good-tint",
    bad: "border-bad/40 bg-bad-tint",
    accent: "border-accent/40 bg-accent-tint",
  };
  return <div className={classes("rounded-lg border px-4 py-3", tones[tone])}>{children}</div>;
}

/** A titled section of a drawer. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <h3 className="mb-3 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
