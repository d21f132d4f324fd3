import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { shellText } from "../messages/en/shell.ts";
import { ErrorCard } from "../ui/error-card.tsx";
import { SkeletonCard } from "../ui/skeleton.tsx";
import { OutageStrip } from "./outage-strip.tsx";

export function PagePending(): ReactNode {
  return (
    <div className="space-y-4">
      <SkeletonCard lines={2} />
      <SkeletonCard lines={6} />
    </div>
  );
}

/** Shown until the session has been read, without the menu and the header. */
export function SitePending(): ReactNode {
  return (
    <>
      <OutageStrip />
      <div className="mx-auto max-w-2xl p-4">
        <PagePending />
      </div>
    </>
  );
}

export function SiteError(props: ErrorComponentProps): ReactNode {
  return (
    <>
      <OutageStrip />
      <PageError {...props} />
    </>
  );
}

export function PageError({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="mx-auto max-w-2xl p-4">
      <ErrorCard error={error} onRetry={again} />
    </div>
  );
}

/** The page for an address that does not exist, in the frame with the menu. */
export function NotFound(): ReactNode {
  return (
    <div className="mx-auto max-w-2xl space-y-3 p-8 text-center">
      <h1 className="text-2xl font-semibold">{shellText.pageNotFound}</h1>
      <p className="text-soft">{shellText.theAddressMayBeOut}</p>
      <Link to="/" className="link">
        {shellText.goToTheStartPage}
      </Link>
    </div>
  );
}
