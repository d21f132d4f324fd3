import { type ReactNode, useId } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { classes } from "../classes.ts";

type SwitchProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly on: boolean;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
};

/** A switch that takes effect immediately. */
export function Switch({ label, hint, on, disabled = false, onChange }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {label}
        </p>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="mt-0.5 max-w-prose text-soft">
            {hint}
          </p>
        )}
      </div>
      <span className="flex shrink-0 items-center gap-2">
        <span aria-hidden className="w-6 text-right text-soft text-xs">
          {on ? uiText.on : uiText.off}
        </span>
        <button
          type="button"
          role="switch"
          aria-checked={on}
          aria-labelledby={id}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          disabled={disabled}
          onClick={() => onChange(!on)}
          className={classes(
            "relative h-6 w-11 rounded-full border transition-colors disabled:cursor-not-allowed disabled:opacity-60",
            on ? "border-accent bg-accent" : "border-line-strong bg-sunken",
          )}
        >
          <span
            aria-hidden
            className={classes(
              "absolute top-0.5 size-4.5 rounded-full transition-all",
              on ? "left-5.5 bg-on-accent" : "left-0.5 bg-line-strong",
            )}
          />
        </button>
      </span>
    </div>
  );
}
