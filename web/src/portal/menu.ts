import {
  ArrowLeftRight,
  Bug,
  FlaskConical,
  Gauge,
  House,
  KeyRound,
  type LucideIcon,
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
import type { Group } from "../ui/session.ts";

export type MenuEntry = {
  readonly to: string;
  readonly label: string;
  /** The part of the menu it stands in; pages of "API" are named after it: "API › Credentials". */
  readonly section: "" | "API" | "Integration" | "Account";
  readonly icon: LucideIcon;
  readonly who: Group;
};

/** The whole menu, in order. An entry shows as soon as the router has its page and the role may see it. */
const MENU: readonly MenuEntry[] = [
  { to: "/", label: "Home", section: "", icon: House, who: "everybody" },
  { to: "/transactions", label: "Transactions", section: "", icon: ArrowLeftRight, who: "everybody" },
  { to: "/complaints", label: "Complaints", section: "", icon: MessageSquareWarning, who: "everybody" },
  { to: "/wallet", label: "Wallet", section: "", icon: Wallet, who: "everybody" },
  { to: "/credentials", label: "Credentials", section: "API", icon: KeyRound, who: "builders" },
  { to: "/allowlist", label: "IP allowlist", section: "API", icon: Network, who: "builders" },
  { to: "/api-access", label: "API access", section: "Integration", icon: Plug, who: "builders" },
  { to: "/callbacks", label: "Callbacks", section: "Integration", icon: Webhook, who: "everybody" },
  { to: "/logs", label: "Logs", section: "Integration", icon: ScrollText, who: "everybody" },
  { to: "/signature-debugger", label: "Signature debugger", section: "Integration", icon: Bug, who: "builders" },
  { to: "/limits", label: "Limits", section: "Integration", icon: Gauge, who: "everybody" },
  { to: "/operators", label: "Operators and services", section: "Account", icon: RadioTower, who: "everybody" },
  { to: "/sandbox", label: "Sandbox", section: "Account", icon: FlaskConical, who: "builders" },
  { to: "/team", label: "Team", section: "Account", icon: Users, who: "everybody" },
  { to: "/security", label: "Security", section: "Account", icon: Shield, who: "everybody" },
];

type Shown = { readonly pages: Readonly<Record<string, unknown>>; readonly may: (who: Group) => boolean };

export function menuFor({ pages, may }: Shown): readonly MenuEntry[] {
  return MENU.filter((entry) => pages[entry.to] !== undefined && may(entry.who));
}

/** The entry an address belongs to: the longest that it begins with. */
export function entryOf(path: string): MenuEntry | undefined {
  const fits = (entry: MenuEntry) => path === entry.to || (entry.to !== "/" && path.startsWith(`${entry.to}/`));
  return MENU.filter(fits).sort((one, other) => other.to.length - one.to.length)[0];
}

/** "API › Credentials" where the section is part of the name. */
export function fullLabel(entry: MenuEntry): string {
  return entry.section === "API" ? `API › ${entry.label}` : entry.label;
}
