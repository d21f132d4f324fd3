import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { FingerprintPattern, type LucideIcon, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { signInText } from "../../messages/en/sign-in.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { useSignOut } from "../../shell/sign-out.ts";
import { Button } from "../../ui/button.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { sessionQuery } from "../../ui/requests/session.ts";
import { PasskeyForm } from "../security/passkey-form.tsx";
import { RecoveryCodesCard } from "../security/recovery-codes-card.tsx";
import { TotpForm } from "../security/totp-form.tsx";
import { readSignIn } from "../sign-in/search.ts";

type Method = "totp" | "passkey";

/** Sets up the first second factor. Completing it makes the session a full one. */
export function EnrolPage(): ReactNode {
  // Validated again here, because this value decides where the browser goes.
  const { next } = readSignIn(useSearch({ from: "/enrol" }));
  const router = useRouter();
  const queries = useQueryClient();
  const [method, setMethod] = useState<Method | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const enter = async () => {
    queries.removeQueries();
    await queries.fetchQuery(sessionQuery);
    await router.navigate({ href: next ?? "/", replace: true });
  };
  const done = (newCodes: readonly string[] | null) => (newCodes === null ? void enter().catch(toastError) : setCodes(newCodes));
  return (
    <OutsideFrame title={signInText.protectYourAccess}>
      {method === null && <MethodChoice onChosen={setMethod} />}
      {method === "totp" && <TotpForm onDone={done} />}
      {method === "passkey" && <PasskeyForm onDone={done} />}
      {method !== null && (
        <Button look="quiet" className="mt-2" onClick={() => setMethod(null)}>
          {signInText.chooseAnotherMethod}
        </Button>
      )}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => void enter().catch(toastError)} />}
    </OutsideFrame>
  );
}

function MethodChoice({ onChosen }: { readonly onChosen: (method: Method) => void }): ReactNode {
  const leave = useSignOut();
  return (
    <div className="space-y-4">
      <p className="text-soft">{signInText.aPasswordAloneIsNot}</p>
      <ul className="space-y-3">
        <MethodButton icon={Smartphone} name={signInText.authenticatorApp} onClick={() => onChosen("totp")}>
          {signInText.aSixDigitCodeFrom}
        </MethodButton>
        <MethodButton icon={FingerprintPattern} name={signInText.passkey} onClick={() => onChosen("passkey")}>
          {signInText.yourFingerprintYourFaceOr}
        </MethodButton>
      </ul>
      <Button look="quiet" onClick={leave}>
        {signInText.signInAsADifferent}
      </Button>
    </div>
  );
}

type MethodButtonProps = { readonly icon: LucideIcon; readonly name: string; readonly onClick: () => void; readonly children: ReactNode };

function MethodButton({ icon: Icon, name, onClick, children }: MethodButtonProps): ReactNode {
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
