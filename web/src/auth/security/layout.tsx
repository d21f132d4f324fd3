import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { securityText } from "../../messages/en/security.ts";
import { PageHeader } from "../../ui/page.tsx";
import { PartNav } from "../../ui/part-nav.tsx";

type Props = { readonly parts: readonly { readonly to: string; readonly label: string }[]; readonly children: ReactNode };

/** The header and navigation of the security pages. */
export function SecurityLayout({ parts, children }: Props): ReactNode {
  return (
    <>
      <PageHeader title={securityText.security}>{children}</PageHeader>
      <PartNav label={securityText.security} parts={parts.map((part) => ({ ...part, exact: part.to === "/security" }))} />
      <Outlet />
    </>
  );
}
