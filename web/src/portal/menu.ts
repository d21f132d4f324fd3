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
import type { MenuEntry } from "../shell/menu.ts";
import { GROUPS } from "./session.ts";

const { everybody, builders, owners } = GROUPS;
const api = { section: "API", namedAfterSection: true } as const;

/** The whole menu, in order. */
export const MENU: readonly MenuEntry[] = [
  { to: "/", label: "Home", section: "", icon: House, who: everybody },
  { to: "/transactions", label: "Transactions", section: "", icon: ArrowLeftRight, who: everybody },
  { to: "/analytics", label: "Analytics", section: "", icon: ChartColumn, who: everybody },
  { to: "/complaints", label: "Complaints", section: "", icon: MessageSquareWarning, who: everybody },
  { to: "/wallet", label: "Wallet", section: "", icon: Wallet, who: everybody },
  { to: "/credentials", label: "Credentials", ...api, icon: KeyRound, who: builders },
  { to: "/allowlist", label: "IP allowlist", ...api, icon: Network, who: builders },
  { to: "/api-access", label: "API access", section: "Integration", icon: Plug, who: builders },
  { to: "/callbacks", label: "Callbacks", section: "Integration", icon: Webhook, who: everybody },
  { to: "/logs", label: "Logs", section: "Integration", icon: ScrollText, who: everybody },
  { to: "/signature-debugger", label: "Signature debugger", section: "Integration", icon: Bug, who: builders },
  { to: "/limits", label: "Limits", section: "Integration", icon: Gauge, who: everybody },
  { to: "/operators", label: "Operators and services", section: "Account", icon: RadioTower, who: everybody },
  { to: "/status", label: "Status", section: "Account", icon: Activity, who: everybody },
  { to: "/sandbox", label: "Sandbox", section: "Account", icon: FlaskConical, who: builders },
  { to: "/team", label: "Team", section: "Account", icon: Users, who: everybody },
  { to: "/single-sign-on", label: "Single sign-on", section: "Account", icon: Fingerprint, who: owners },
  { to: "/security", label: "Security", section: "Account", icon: Shield, who: everybody },
];
