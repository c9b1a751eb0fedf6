-- AlterTable
ALTER TABLE "QueueItem" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "DeadLetter" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "queueName" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "DeadLetter_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "dead_letter_at_idx" ON "DeadLetter"("at", "runId");
