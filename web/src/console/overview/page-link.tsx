import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";

type Props = {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
  readonly look?: "button" | "link";
};

/** A link to another page of the console, or nothing when the page does not exist. */
export function PageLink({ to, search = {}, label, look = "link" }: Props): ReactNode {
  const pages: Readonly<Record<string, unknown>> = useRouter().routesByPath;
  if (pages[to] === undefined) return null;
  const link = { to, search } as { to: "/" };
  return look === "button" ? (
    <LinkButton {...link}>{label}</LinkButton>
  ) : (
    <Link {...link} className="link">
      {label}
    </Link>
  );
}
