-- A row says that runs of a queue may be dispatched, which is what the product calls it.
ALTER TABLE "QueueTurn" RENAME TO "QueueDispatch";
DROP INDEX "queue_turn_rank_idx";
DROP INDEX "queue_turn_due_idx";
CREATE INDEX "queue_dispatch_rank_idx" ON "QueueDispatch"("rankAt");
CREATE INDEX "queue_dispatch_due_idx" ON "QueueDispatch"("dueAt");
