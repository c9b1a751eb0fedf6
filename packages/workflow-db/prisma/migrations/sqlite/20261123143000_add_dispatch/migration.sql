-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN "workerSelector" TEXT NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "QueueItem" ADD COLUMN "selector" TEXT NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "Runner" ADD COLUMN "labels" TEXT NOT NULL DEFAULT '{}';
ALTER TABLE "Runner" ADD COLUMN "maxRuns" INTEGER NOT NULL DEFAULT 50;
ALTER TABLE "Runner" ADD COLUMN "version" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Runner" ADD COLUMN "claims" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "QueueTurn" (
    "queueName" TEXT NOT NULL,
    "selector" TEXT NOT NULL,
    "jobId" TEXT,
    "rankAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL,

    PRIMARY KEY ("queueName", "selector")
);

-- CreateIndex
CREATE INDEX "queue_turn_rank_idx" ON "QueueTurn"("rankAt");

-- CreateIndex
CREATE INDEX "queue_turn_due_idx" ON "QueueTurn"("dueAt");
