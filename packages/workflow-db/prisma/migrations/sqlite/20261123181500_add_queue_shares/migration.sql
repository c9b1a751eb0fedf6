-- AlterTable
ALTER TABLE "QueueItem" ADD COLUMN "workspace" TEXT NOT NULL DEFAULT '';
UPDATE "QueueItem" SET "workspace" = COALESCE((SELECT r."workspace" FROM "DagRun" r WHERE r."id" = "QueueItem"."runId"), '');

-- CreateTable
CREATE TABLE "QueueShare" (
    "queueName" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "served" BIGINT NOT NULL,

    PRIMARY KEY ("queueName", "workspace")
);

-- CreateIndex
CREATE INDEX "queue_item_share_idx" ON "QueueItem"("claimedBy", "queueName", "workspace", "rankAt", "runId");
