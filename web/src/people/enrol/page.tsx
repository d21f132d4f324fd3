import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { FingerprintPattern, type LucideIcon, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { useSignOut } from "../../shell/sign-out.ts";
import { Button } from "../../ui/button.tsx";
import { sessionQuery } from "../../ui/session.ts";
import { toastError } from "../../ui/toast.tsx";
import { CodesShown } from "../security/codes-shown.tsx";
import { PasskeyForm } from "../security/passkey-form.tsx";
import { TotpForm } from "../security/totp-form.tsx";
import { readSignIn } from "../sign-in/search.ts";

type Way = "totp" | "passkey";

/** The first second factor, chosen before anything else is shown. Its answer makes the session a whole one. */
export function EnrolPage(): ReactNode {
  // Read once more: this value decides where the browser goes.
  const { next } = readSignIn(useSearch({ from: "/enrol" }));
  const router = useRouter();
  const queries = useQueryClient();
  const [way, setWay] = useState<Way | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const enter = async () => {
    queries.removeQueries();
    await queries.fetchQuery(sessionQuery);
    await router.navigate({ href: next ?? "/", replace: true });
  };
  const done = (made: readonly string[] | null) => (made === null ? void enter().catch(toastError) : setCodes(made));
  return (
    <OutsideFrame title="Protect your access">
      {way === null && <Choice onChosen={setWay} />}
      {way === "totp" && <TotpForm onDone={done} />}
      {way === "passkey" && <PasskeyForm onDone={done} />}
      {way !== null && (
        <Button look="quiet" className="mt-2" onClick={() => setWay(null)}>
          Choose another way
        </Button>
      )}
      {codes && <CodesShown codes={codes} onStored={() => void enter().catch(toastError)} />}
    </OutsideFrame>
  );
}

function Choice({ onChosen }: { readonly onChosen: (way: Way) => void }): ReactNode {
  const leave = useSignOut();
  return (
    <div className="space-y-4">
      <p className="text-soft">
        Nobody gets in here with a password alone. Choose what you will be asked for besides it; more can be added later.
      </p>
      <ul className="space-y-3">
        <OneWay icon={Smartphone} name="Authenticator app" onClick={() => onChosen("totp")}>
          A code of six digits from an app on your phone.
        </OneWay>
        <OneWay icon={FingerprintPattern} name="Passkey" onClick={() => onChosen("passkey")}>
          Your fingerprint, your face or a security key.
        </OneWay>
      </ul>
      <Button look="quiet" onClick={leave}>
        Sign in as somebody else
      </Button>
    </div>
  );
}

type OneWayProps = { readonly icon: LucideIcon; readonly name: string; readonly onClick: () => void; readonly children: ReactNode };

function OneWay({ icon: Icon, name, onClick, children }: OneWayProps): ReactNode {
  return (
    <li>
      <button
        type="button"
        onClick={onClick}
        className="flex w-full items-center gap-4 rounded-xl border border-line-strong/60 p-4 text-left hover:bg-sunken"
      >
        <Icon aria-hidden className="size-6 shrink-0 text-accent" />
        <span>
          <span className="block font-medium">{name}</span>
          <span className="block text-soft">{children}</span>
        </span>
      </button>
    </li>
  );
}
