import { Link, type LinkProps } from "@tanstack/react-router";
import { Download, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classes } from "./classes.ts";

type Look = "primary" | "plain" | "danger" | "quiet";

const LOOKS: Readonly<Record<Look, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink border-line-strong/60 hover:bg-sunken",
  danger: "bg-surface text-bad border-bad/60 hover:bg-bad-tint",
  quiet: "bg-transparent text-soft border-transparent hover:bg-sunken hover:text-ink",
};

const BASE =
  "inline-flex items-center justify-center gap-2 rounded-md border px-3.5 min-h-10 font-medium whitespace-nowrap transition-colors " +
  "disabled:opacity-60 disabled:cursor-not-allowed aria-busy:cursor-wait";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look;
  readonly icon?: LucideIcon;
  /** Shows a spinner and disables the button while an action runs. */
  readonly busy?: boolean;
};

export function Button({
  look = "plain",
  icon: Icon,
  busy = false,
  children,
  className,
  disabled,
  type = "button",
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button type={type} className={classes(BASE, LOOKS[look], className)} disabled={disabled || busy} aria-busy={busy} {...rest}>
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : Icon && <Icon aria-hidden className="size-4" />}
      {children}
    </button>
  );
}

/** A link styled as a button. */
export function LinkButton({
  look = "plain",
  className,
  ...rest
}: LinkProps & { readonly look?: Look; readonly className?: string }): ReactNode {
  return <Link className={classes(BASE, LOOKS[look], className)} {...rest} />;
}

/** A download link styled as a button. */
export function DownloadButton({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode {
  return (
    <a className={classes(BASE, LOOKS.plain)} href={href} download>
      <Download aria-hidden className="size-4" />
      {children}
    </a>
  );
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { readonly icon: LucideIcon; readonly label: string };

export function IconButton({ icon: Icon, label, className, type = "button", ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classes(
        "inline-flex size-10 shrink-0 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink",
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden className="size-5" />
    </button>
  );
}
