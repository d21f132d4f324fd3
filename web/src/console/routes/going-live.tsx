import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/page.tsx";

type GoingLiveProps = InputHTMLAttributes<HTMLInputElement> & { readonly error: string | undefined; ref?: Ref<HTMLInputElement> };

/** What the first route to a real provider does, and whether that is meant. */
export function GoingLive({ error, ...field }: GoingLiveProps): ReactNode {
  return (
    <Notice>
      <div className="space-y-2">
        <p>
          This is the first route to a real provider: it makes the installation live, and nothing takes that back. The simulator then serves
          sandbox accounts only, and what has no real provider is refused.
        </p>
        <Checkbox label="Go live: real money moves from now on." {...field} />
        {error !== undefined && (
          <p role="alert" className="text-bad text-xs">
            {error}
          </p>
        )}
      </div>
    </Notice>
  );
}
