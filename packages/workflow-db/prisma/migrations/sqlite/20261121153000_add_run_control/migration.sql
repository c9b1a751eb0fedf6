-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "queueName" TEXT;
ALTER TABLE "DagRun" ADD COLUMN     "stopRequestedAt" DATETIME;
