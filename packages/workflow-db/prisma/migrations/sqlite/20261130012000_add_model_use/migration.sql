-- AlterTable
ALTER TABLE "DagRunStep" ADD COLUMN     "modelUse" JSONB;
