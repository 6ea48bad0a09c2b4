// Cells of an iCE40 that logic, carries and registers become.
module SB_LUT4 (output O, input I0, input I1, input I2, input I3);
    parameter [15:0] LUT_INIT = 0;
    assign O = LUT_INIT >> {I3, I2, I1, I0};
endmodule
module SB_CARRY (output CO, input I0, input I1, input CI);
    assign CO = (I0 && I1) || ((I0 || I1) && CI);
endmodule
module SB_DFF (output reg Q, input C, input D);
    always @(posedge C) Q <= D;
endmodule
module SB_DFFE (output reg Q, input C, input E, input D);
    always @(posedge C) if (E) Q <= D;
endmodule
module SB_DFFSR (output reg Q, input C, input R, input D);
    always @(posedge C) if (R) Q <= 0; else Q <= D;
endmodule
module SB_DFFSS (output reg Q, input C, input S, input D);
    always @(posedge C) if (S) Q <= 1; else Q <= D;
endmodule
module SB_DFFESR (output reg Q, input C, input E, input R, input D);
    always @(posedge C) if (E) begin if (R) Q <= 0; else Q <= D; end
endmodule
module SB_DFFESS (output reg Q, input C, input E, input S, input D);
    always @(posedge C) if (E) begin if (S) Q <= 1; else Q <= D; end
endmodule
