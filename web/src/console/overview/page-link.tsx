import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";

type Props = {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
  readonly look?: "button" | "link";
};

/** A way to another page, where there is that page. */
export function PageLink({ to, search = {}, label, look = "link" }: Props): ReactNode {
  const pages: Readonly<Record<string, unknown>> = useRouter().routesByPath;
  if (pages[to] === undefined) return null;
  const way = { to, search } as { to: "/" };
  return look === "button" ? (
    <LinkButton {...way}>{label}</LinkButton>
  ) : (
    <Link {...way} className="link">
      {label}
    </Link>
  );
}
