import { useNavigate } from "@tanstack/react-router";
import { Check, CircleUserRound, Keyboard, LogOut, type LucideIcon, Shield } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { fill } from "../messages/fill.ts";
import { LANGUAGE, LANGUAGE_CODES, LANGUAGES, type Language } from "../messages/languages.ts";
import { menuItemClasses } from "../ui/menu-classes.ts";
import type { SignedIn } from "../ui/requests/session.ts";
import { useSignOut } from "./sign-out.ts";
import { useSite } from "./site.ts";

const noChoice = () => null;

type UserMenuProps = {
  readonly user: SignedIn["user"];
  /** Whether this user has a security page. */
  readonly security: boolean;
  readonly onHelp: () => void;
};

/** Not modal: a modal menu writes an inline style, which the content security policy forbids. */
export function UserMenu({ user, security, onHelp }: UserMenuProps): ReactNode {
  const navigate = useNavigate();
  const { roleNames, useLanguageChoice = noChoice } = useSite();
  const languages = useLanguageChoice();
  const signOut = useSignOut();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          aria-label={fill(shellText.yourMenu, { name: user.name })}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink"
        >
          <CircleUserRound aria-hidden className="size-5" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="enter-up z-50 w-64 rounded-lg border border-line bg-raised p-1.5 shadow-xl"
        >
          <div className="border-line border-b px-3 pt-1.5 pb-3">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-soft text-xs">{user.email}</p>
            <p className="text-soft text-xs">{roleNames[user.role]}</p>
          </div>
          {security && <Item icon={Shield} label={shellText.security} onSelect={() => void navigate({ to: "/security" as string })} />}
          {languages && <LanguageItems onChoose={languages} />}
          <Item icon={Keyboard} label={shellText.keyboardShortcuts} onSelect={onHelp} />
          <Item icon={LogOut} label={shellText.signOut} onSelect={signOut} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({
  icon: Icon,
  label,
  onSelect,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onSelect: () => void;
}): ReactNode {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={menuItemClasses}>
      <Icon aria-hidden className="size-4" />
      {label}
    </DropdownMenu.Item>
  );
}

/** The languages of the site. Their names are in the language itself, and each is marked as such for screen readers. */
function LanguageItems({ onChoose }: { readonly onChoose: (language: Language) => void }): ReactNode {
  return (
    <DropdownMenu.RadioGroup
      aria-label={shellText.language}
      value={LANGUAGE}
      onValueChange={(chosen) => onChoose(chosen as Language)}
      className="my-1 border-line border-y py-1"
    >
      {LANGUAGE_CODES.map((code) => (
        <DropdownMenu.RadioItem key={code} value={code} lang={code} className={menuItemClasses}>
          <span className="flex size-4 items-center justify-center">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden className="size-4" />
            </DropdownMenu.ItemIndicator>
          </span>
          {LANGUAGES[code].name}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
