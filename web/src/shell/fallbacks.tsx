import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorCard } from "../ui/error-card.tsx";
import { SkeletonCard } from "../ui/skeleton.tsx";

export function PagePending(): ReactNode {
  return (
    <div className="space-y-4">
      <SkeletonCard lines={2} />
      <SkeletonCard lines={6} />
    </div>
  );
}

export function PageError({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <div className="mx-auto max-w-2xl p-4">
      <ErrorCard error={error} onRetry={reset} />
    </div>
  );
}

export function NotFound(): ReactNode {
  return (
    <main className="mx-auto max-w-2xl space-y-3 p-8 text-center">
      <h1 className="text-2xl font-semibold">There is no such page</h1>
      <p className="text-soft">The address may be old, or your role may not see it.</p>
      <Link to="/" className="link">
        Go to the first page
      </Link>
    </main>
  );
}
