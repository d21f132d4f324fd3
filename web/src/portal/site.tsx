import type { ReactNode } from "react";
import { portalText } from "../messages/en/portal.ts";
import { fill } from "../messages/fill.ts";
import type { Site } from "../shell/site.ts";
import { Badge } from "../ui/formats/badge.tsx";
import { PortalBanner } from "./announcements.tsx";
import { useFound } from "./find.ts";
import { useLanguageChoice } from "./language-choice.ts";
import { MENU } from "./menu.ts";
import { useMenuCounts } from "./menu-counts.ts";
import { ROLE_NAMES } from "./roles.ts";
import { type PortalSession, useSession } from "./session.ts";

/** The client portal. */
export const PORTAL: Site = {
  name: "Corprail",
  tag: null,
  menu: MENU,
  useMenuCounts,
  About: Account,
  Banner: PortalBanner,
  useLanguageChoice,
  // Staff who view a client's portal manage their sign-in methods in the console.
  hides: (session) => ((session as PortalSession).viewing ? ["/security"] : []),
  finds: [{ title: (text) => fill(portalText.searchTransactionsFor, { text }), to: "/transactions", filter: "search" }],
  useFound,
  roleNames: ROLE_NAMES,
  secondFactorRequired: false,
  noMailHelp: portalText.askYourAccountManagerFor,
  reference: { label: portalText.apiReference, href: "/docs" },
  freshFor: portalText.secretsAddressesAndMembers,
};

function Account(): ReactNode {
  const session = useSession();
  if (session === null) return null;
  const { account, mode } = session;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="min-w-0 truncate font-semibold" title={account.name}>
        {account.name}
      </span>
      {account.sandbox ? (
        <Badge tone="wait">{portalText.sandbox}</Badge>
      ) : (
        <Badge tone="accent">{mode === "live" ? portalText.live : portalText.trial}</Badge>
      )}
    </div>
  );
}
