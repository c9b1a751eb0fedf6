-- AlterTable
ALTER TABLE "QueueItem" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "DeadLetter" (
    "runId" TEXT NOT NULL,
    "queueName" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "DeadLetter_pkey" PRIMARY KEY ("runId")
);

-- CreateIndex
CREATE INDEX "dead_letter_at_idx" ON "DeadLetter"("at", "runId");

-- AddForeignKey
ALTER TABLE "DeadLetter" ADD CONSTRAINT "DeadLetter_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;
