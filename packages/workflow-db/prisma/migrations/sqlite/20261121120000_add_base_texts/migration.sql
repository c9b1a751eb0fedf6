-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN "baseTexts" JSONB;
