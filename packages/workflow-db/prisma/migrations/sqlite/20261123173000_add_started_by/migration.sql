-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "startedBy" JSONB;
