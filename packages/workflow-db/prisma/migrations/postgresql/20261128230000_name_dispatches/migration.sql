-- A row says that runs of a queue may be dispatched, which is what the product calls it.
ALTER TABLE "QueueTurn" RENAME TO "QueueDispatch";
ALTER TABLE "QueueDispatch" RENAME CONSTRAINT "QueueTurn_pkey" TO "QueueDispatch_pkey";
ALTER INDEX "queue_turn_rank_idx" RENAME TO "queue_dispatch_rank_idx";
ALTER INDEX "queue_turn_due_idx" RENAME TO "queue_dispatch_due_idx";
