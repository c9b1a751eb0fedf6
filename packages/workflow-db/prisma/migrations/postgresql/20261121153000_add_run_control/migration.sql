-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "queueName" TEXT,
ADD COLUMN     "stopRequestedAt" TIMESTAMP(3);
