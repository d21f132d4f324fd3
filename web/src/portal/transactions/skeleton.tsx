import type { ReactNode } from "react";
import { SkeletonCard } from "../../ui/skeleton.tsx";

export function TransactionSkeleton(): ReactNode {
  return (
    <>
      <SkeletonCard lines={5} />
      <SkeletonCard lines={8} />
    </>
  );
}
