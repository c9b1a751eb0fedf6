-- AlterTable
ALTER TABLE "DagRunStep" ADD COLUMN "outputs" JSONB;
