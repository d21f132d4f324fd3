import {
  Activity,
  ArrowLeftRight,
  Bug,
  ChartColumn,
  Fingerprint,
  FlaskConical,
  Gauge,
  House,
  KeyRound,
  MessageSquareWarning,
  Network,
  Plug,
  RadioTower,
  ScrollText,
  Shield,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import { portalText } from "../messages/en/portal.ts";
import type { MenuEntry } from "../shell/menu.ts";
import { GROUPS } from "./session.ts";

const { everybody, builders, owners } = GROUPS;
const api = { section: "API", namedAfterSection: true } as const;

/** The whole menu, in order. */
export const MENU: readonly MenuEntry[] = [
  { to: "/", label: portalText.home, section: "", icon: House, who: everybody },
  { to: "/transactions", label: portalText.transactions, section: "", icon: ArrowLeftRight, who: everybody },
  { to: "/analytics", label: portalText.analytics, section: "", icon: ChartColumn, who: everybody },
  { to: "/complaints", label: portalText.complaints, section: "", icon: MessageSquareWarning, who: everybody },
  { to: "/wallet", label: portalText.wallet, section: "", icon: Wallet, who: everybody },
  { to: "/credentials", label: portalText.credentials, ...api, icon: KeyRound, who: builders },
  { to: "/allowlist", label: portalText.ipAllowlist, ...api, icon: Network, who: builders },
  { to: "/api-access", label: portalText.apiAccess, section: portalText.integration, icon: Plug, who: builders },
  { to: "/callbacks", label: portalText.callbacks, section: portalText.integration, icon: Webhook, who: everybody },
  { to: "/logs", label: portalText.logs, section: portalText.integration, icon: ScrollText, who: everybody },
  { to: "/signature-debugger", label: portalText.signatureDebugger, section: portalText.integration, icon: Bug, who: builders },
  { to: "/limits", label: portalText.limits, section: portalText.integration, icon: Gauge, who: everybody },
  { to: "/operators", label: portalText.operatorsAndServices, section: portalText.account, icon: RadioTower, who: everybody },
  { to: "/status", label: portalText.status, section: portalText.account, icon: Activity, who: everybody },
  { to: "/sandbox", label: portalText.sandbox, section: portalText.account, icon: FlaskConical, who: builders },
  { to: "/team", label: portalText.team, section: portalText.account, icon: Users, who: everybody },
  { to: "/single-sign-on", label: portalText.singleSignOn, section: portalText.account, icon: Fingerprint, who: owners },
  { to: "/security", label: portalText.security, section: portalText.account, icon: Shield, who: everybody },
];
