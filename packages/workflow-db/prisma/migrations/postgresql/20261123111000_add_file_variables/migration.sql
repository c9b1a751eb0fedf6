-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "fileVariables" JSONB;
